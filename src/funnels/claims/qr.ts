import { encode } from 'uqr'
import { escapeHtml } from '../../core/funnel/render/escape'

/** A text as a QR code: dark squares on white in light and dark pages, because cameras need it so. */
export function qrCode(text: string, label: string): string {
  const { data, size } = encode(text, { border: 4 })
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return `<svg role="img" aria-label="${escapeHtml(label)}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${squares.join('')}" fill="#000"/></svg>`
}
