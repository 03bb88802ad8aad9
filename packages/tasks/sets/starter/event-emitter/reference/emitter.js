class Emitter {
  #listeners = new Map();

  on(name, listener) {
    return this.#add(name, { listener, once: false });
  }

  once(name, listener) {
    return this.#add(name, { listener, once: true });
  }

  emit(name, ...values) {
    let called = 0;
    for (const entry of [...(this.#listeners.get(name) ?? [])]) {
      if (!this.#listeners.get(name).has(entry)) continue;
      if (entry.once) this.#listeners.get(name).delete(entry);
      called++;
      entry.listener(...values);
    }
    return called;
  }

  #add(name, entry) {
    const entries = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, entries.add(entry));
    return () => void entries.delete(entry);
  }
}

module.exports = { Emitter };
