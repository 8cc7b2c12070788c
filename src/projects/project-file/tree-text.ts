import type { BuiltTree, Member, Node } from './tree'

/**
 * A node as JSON: a list is `{"l": [line, column, node, …]}`, a mapping `{"m": [name, line, column, node, …]}`, a number
 * of 64 bits `{"n": "…"}`, and every other scalar itself.
 */
type Packed = { l: unknown[] } | { m: unknown[] } | { n: string } | string | number | boolean | null

/** A tree as one text: between threads it costs far less than its objects. */
export const packTree = ({ root, problems, longs }: BuiltTree): string =>
  JSON.stringify({ root: pack(root), problems, longs })

export function unpackTree(text: string): BuiltTree {
  const { root, problems, longs } = JSON.parse(text) as Omit<BuiltTree, 'root'> & { root: Packed }
  return { root: unpack(root), problems, longs }
}

function pack(node: Node): Packed {
  if (node.kind === 'list') return { l: node.items.flatMap(({ at, node: item }) => [at.line, at.column, pack(item)]) }
  if (node.kind === 'map')
    return { m: [...node.members].flatMap(([name, { at, node: member }]) => [name, at.line, at.column, pack(member)]) }
  return typeof node.value === 'bigint' ? { n: String(node.value) } : node.value
}

function unpack(packed: Packed): Node {
  if (typeof packed !== 'object' || packed === null) return { kind: 'scalar', value: packed }
  if ('n' in packed) return { kind: 'scalar', value: BigInt(packed.n) }
  if ('l' in packed) return { kind: 'list', items: membersOf(packed.l, 3) }
  const names = packed.m.filter((_, index) => index % 4 === 0) as string[]
  const members = membersOf(packed.m, 4)
  return { kind: 'map', members: new Map(names.map((name, index) => [name, members[index] as Member])) }
}

/** Each member is the last three of `width` values. */
function membersOf(values: unknown[], width: number): Member[] {
  return Array.from({ length: values.length / width }, (_, index) => {
    const [line, column, node] = values.slice((index + 1) * width - 3, (index + 1) * width) as [number, number, Packed]
    return { at: { line, column }, node: unpack(node) }
  })
}
