/** The activations that could run now: the highest priority first, the lowest id among equals (a binary heap). */
export class ReadyQueue {
  readonly #ids: number[] = [];
  readonly #priorities: number[] = [];

  get size(): number {
    return this.#ids.length;
  }

  /** The id that {@link pop} would take. */
  peek(): number | undefined {
    return this.#ids[0];
  }

  push(id: number, priority: number): void {
    let at = this.#ids.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(id, priority, parent)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#ids[at] = id;
    this.#priorities[at] = priority;
  }

  pop(): number | undefined {
    const top = this.#ids[0];
    const id = this.#ids.pop();
    const priority = this.#priorities.pop();
    if (id !== undefined && priority !== undefined && this.#ids.length > 0) this.#sink(id, priority);
    return top;
  }

  #sink(id: number, priority: number): void {
    const size = this.#ids.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#before(this.#ids[child + 1] as number, this.#priorities[child + 1] as number, child)) child++;
      if (this.#before(id, priority, child)) break;
      this.#move(child, at);
      at = child;
    }
    this.#ids[at] = id;
    this.#priorities[at] = priority;
  }

  #before(id: number, priority: number, at: number): boolean {
    const other = this.#priorities[at] as number;
    return priority === other ? id < (this.#ids[at] as number) : priority > other;
  }

  #move(from: number, to: number): void {
    this.#ids[to] = this.#ids[from] as number;
    this.#priorities[to] = this.#priorities[from] as number;
  }
}
