/**
 * Cuts a text into pieces of at most `most` characters, at the ends of lines where possible. Joined, they are the text.
 *
 * @param most at least 1.
 */
export function splitText(text: string, most: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (piece !== "" && piece.length + line.length > most) {
      pieces.push(piece);
      piece = "";
    }
    piece += line;
    for (; piece.length > most; piece = piece.slice(most)) pieces.push(piece.slice(0, most));
  }
  if (piece !== "") pieces.push(piece);
  return pieces;
}
