export declare const arrows: Readonly<Record<string, readonly string[]>>;
export declare function mayImport(name: string): readonly string[];
