function slugify(text) {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.trim().replace(/[^a-z0-9]+/g, "-");
}

module.exports = { slugify };
