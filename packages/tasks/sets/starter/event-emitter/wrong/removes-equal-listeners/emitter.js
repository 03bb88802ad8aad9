class Emitter {
  constructor() {
    this.listeners = new Map();
  }

  on(name, listener) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
    return () => {
      this.listeners.set(
        name,
        this.listeners.get(name).filter((other) => other !== listener),
      );
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
    for (const listener of this.listeners.get(name) ?? []) {
      if (!this.listeners.get(name).includes(listener)) continue;
      called++;
      listener(...values);
    }
    return called;
  }
}

module.exports = { Emitter };
