type Listener = (...given: unknown[]) => void;

/** Node's event emitter, the part that programs use. */
export class EventEmitter {
  readonly #listeners = new Map<string | symbol, Listener[]>();

  on(name: string | symbol, listener: Listener): this {
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), listener]);
    return this;
  }

  addListener(name: string | symbol, listener: Listener): this {
    return this.on(name, listener);
  }

  once(name: string | symbol, listener: Listener): this {
    const once: Listener = (...given) => {
      this.off(name, once);
      listener(...given);
    };
    return this.on(name, once);
  }

  off(name: string | symbol, listener: Listener): this {
    const left = (this.#listeners.get(name) ?? []).filter((each) => each !== listener);
    this.#listeners.set(name, left);
    return this;
  }

  removeListener(name: string | symbol, listener: Listener): this {
    return this.off(name, listener);
  }

  removeAllListeners(name?: string | symbol): this {
    if (name === undefined) this.#listeners.clear();
    else this.#listeners.delete(name);
    return this;
  }

  emit(name: string | symbol, ...given: unknown[]): boolean {
    const listeners = this.#listeners.get(name) ?? [];
    if (name === "error" && listeners.length === 0) throw given[0];
    for (const listener of listeners) listener(...given);
    return listeners.length > 0;
  }

  listenerCount(name: string | symbol): number {
    return this.#listeners.get(name)?.length ?? 0;
  }
}
