const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text made fit for XML content and attributes; characters that XML does not allow become spaces. */
export function escapeXml(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, " ").replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
