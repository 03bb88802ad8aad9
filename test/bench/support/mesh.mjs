/** A mesh of that many programmers with a critic on each edge, as plain objects. */
export function meshBundle(size, { critics = true } = {}) {
  const card = (kind) => ({ agent: 1, name: kind, kind, model: "scripted", instructions: "Work." });
  const defaults = { actor: "actor", aggregator: "aggregator", rounds: 1, ...(critics ? { critic: "critic" } : {}) };
  return {
    file: { troupe: 1, name: "mesh", shape: { kind: "mesh", size }, defaults },
    cards: { actor: card("actor"), aggregator: card("aggregator"), ...(critics ? { critic: card("critic") } : {}) },
  };
}
