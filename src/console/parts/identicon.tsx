const SIDE = 5
const COLOURS = ['var(--d1)', 'var(--n1)', 'var(--d4)', 'var(--d5)', 'var(--d2)'] as const

/** A small figure made of an id, so that two people can be distinguished at a glance. It contains no information about them. */
export function Identicon({ id, size = 20 }: { id: string; size?: number }) {
  const bits = hashOf(id)
  let drawn = ''
  const draw = (x: number, y: number) => {
    drawn += `M${x + 1} ${y + 1}h1v1h-1z`
  }
  for (let x = 0; x < 3; x += 1) {
    for (let y = 0; y < SIDE; y += 1) {
      if (((bits >>> (x * SIDE + y)) & 1) === 0) continue
      draw(x, y)
      if (x < 2) draw(SIDE - 1 - x, y)
    }
  }
  return (
    <svg
      viewBox="0 0 7 7"
      width={size}
      height={size}
      aria-hidden="true"
      shapeRendering="crispEdges"
      className="shrink-0 rounded-chip bg-track"
    >
      <path d={drawn} fill={COLOURS[(bits >>> 20) % COLOURS.length]} />
    </svg>
  )
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash ^= hash >>> 15
  return Math.imul(hash, 0x2c1b3c6d) >>> 0
}
