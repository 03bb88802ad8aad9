/** Loads a package of this folder, found from this file, so that nobody else has to have it. */
export function loadPeer(name) {
  return import(name);
}
