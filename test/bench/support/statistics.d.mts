export declare function quantile(values: readonly number[], share: number): number;
export declare function fitExponent(points: readonly { readonly size: number; readonly cost: number }[]): {
  readonly exponent: number;
  readonly halfWidth: number;
};
