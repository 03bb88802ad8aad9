/** A coordinate with one digit after the point. */
export const round = (value: number): number => Math.round(value * 10) / 10;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text made fit for XML; characters that XML does not allow become spaces. */
export function escapeXml(text: string): string {
  return text.replace(/[\p{Cc}\ufffe\uffff]/gu, " ").replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
