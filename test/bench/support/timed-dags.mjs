import { criticalPath, heights, listSchedule } from "./list-schedule.mjs";
import { createRandom, logNormal } from "./random.mjs";
import { randomDag } from "./shapes.mjs";
import { mean } from "./statistics.mjs";

/** The logarithm's deviation: of agents that take a second in the middle, one in forty takes more than seven. */
const sigma = 1;
/** Times that a scheduler draws which knows how long agents may take, but not how long they will. */
const samples = 30;

/**
 * Random DAGs (an edge with probability 2 / N) of 30 to 150 nodes whose agents take log-normal times, in milliseconds.
 *
 * @param rounded whether times are whole, as the machine's timers want them.
 */
export function timedDags(count, { medianMilliseconds = 1000, rounded = false } = {}) {
  return Array.from({ length: count }, (_, index) => {
    const random = createRandom(index + 1);
    const parents = randomDag(30 + Math.floor(random() * 121), index + 1000);
    const times = parents.map(() => logNormal(random, medianMilliseconds, sigma)).map((time) => (rounded ? Math.ceil(time) : time));
    return { parents, times, critical: criticalPath(parents, times), work: times.reduce((sum, time) => sum + time, 0) };
  });
}

/** Slots at which a DAG is that much work: the load is all of it ÷ what the slots can do during the critical path. */
export function slotsAt(load, { work, critical }) {
  return Math.max(1, Math.round(work / (load * critical)));
}

/** The makespan of list scheduling that knows the times. */
export function knowingMakespan({ parents, times }, slots) {
  return listSchedule(parents, times, slots, heights(parents, times));
}

/**
 * The same when only the distribution of the times is known: what stands ahead of a node is an average over drawn times. What it
 * loses against {@link knowingMakespan} is the price of not knowing.
 */
export function guessingMakespan({ parents, times }, slots) {
  const random = createRandom(parents.length);
  const drawn = Array.from({ length: samples }, () => parents.map(() => logNormal(random, 1, sigma)));
  const guesses = drawn.map((some) => heights(parents, some));
  const ahead = parents.map((_, node) => mean(guesses.map((guess) => guess[node])));
  return listSchedule(parents, times, slots, ahead);
}
