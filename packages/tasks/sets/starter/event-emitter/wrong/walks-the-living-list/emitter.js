class Emitter {
  constructor() {
    this.listeners = new Map();
  }

  on(name, listener) {
    const entry = { listener };
    const entries = this.listeners.get(name) ?? [];
    entries.push(entry);
    this.listeners.set(name, entries);
    return () => {
      const index = entries.indexOf(entry);
      if (index >= 0) entries.splice(index, 1);
    };
  }

  once(name, listener) {
    const remove = this.on(name, (...values) => {
      remove();
      listener(...values);
    });
    return remove;
  }

  emit(name, ...values) {
    let called = 0;
    for (const entry of this.listeners.get(name) ?? []) {
      called++;
      entry.listener(...values);
    }
    return called;
  }
}

module.exports = { Emitter };
