/** A DAG by promises alone, a promise a node and `Promise.all` where several meet: the yardstick of this machine and this moment. */
export async function barePromises(parents, work) {
  const ran = [];
  for (const [node, list] of parents.entries()) {
    if (list.length === 0) ran.push(work(node));
    else ran.push((list.length === 1 ? ran[list[0]] : Promise.all(list.map((parent) => ran[parent]))).then(() => work(node)));
  }
  await Promise.all(ran);
}
