const dimensions = 1024;

/**
 * A stand-in for an embedding model, for tests: counts the words of a text in 1024 classes, and gives the counts as a vector of norm 1.
 * Equal texts have the cosine 1, texts with words in common more than others.
 */
export function embedWords(text: string): Float32Array {
  const vector = new Float32Array(dimensions);
  // A text without words has a direction, too.
  for (const word of text.toLowerCase().match(/\w+/g) ?? [""]) vector[classOf(word)] = (vector[classOf(word)] ?? 0) + 1;
  const norm = Math.sqrt(vector.reduce((sum, count) => sum + count * count, 0));
  return vector.map((count) => count / norm);
}

/** FNV-1a, folded. */
function classOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) & (dimensions - 1);
}
