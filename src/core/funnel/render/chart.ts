import type { BlockProps } from '../model'
import { attributes } from './escape'
import { htmlText, type TextScope } from './text'

const [WIDTH, HEIGHT, RADIUS] = [300, 120, 50]

/** A small picture of the points, with the same points as a list for those who do not see it. */
export function drawChart({ kind, points }: BlockProps['chart'], scope: TextScope): string {
  const values = points.map(({ value }) => value)
  const shape = values.length === 0 ? '' : SHAPES[kind](values)
  const items = points.map(({ label, value }) => `<li>${htmlText(label, scope)}: ${value}</li>`).join('')
  return `<svg${attributes({ viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true' })}>${shape}</svg><ul class="points">${items}</ul>`
}

const SHAPES: Record<BlockProps['chart']['kind'], (values: readonly number[]) => string> = {
  line(values) {
    const points = values.map(
      (value, index) => `${round(placeOf(index, values.length))},${round(heightOf(value, values))}`,
    )
    return `<polyline class="line"${attributes({ points: points.join(' ') })}></polyline>`
  },
  bar(values) {
    const width = WIDTH / values.length
    return values
      .map((value, index) => {
        const y = heightOf(value, values)
        return `<rect class="bar"${attributes({ x: round(index * width + width * 0.15), y: round(y), width: round(width * 0.7), height: round(HEIGHT - y) })}></rect>`
      })
      .join('')
  },
  donut(values) {
    const sum = values.reduce((total, value) => total + Math.max(value, 0), 0) || 1
    let begin = 0
    return values
      .map((value, index) => {
        const share = (Math.max(value, 0) / sum) * 100
        const given = {
          cx: WIDTH / 2,
          cy: HEIGHT / 2,
          r: RADIUS,
          pathLength: 100,
          'stroke-dasharray': `${round(share)} 100`,
          'stroke-dashoffset': round(-begin),
        }
        begin += share
        return `<circle class="part part-${index % 4}"${attributes(given)}></circle>`
      })
      .join('')
  },
}

const round = (value: number): number => Math.round(value * 100) / 100
const placeOf = (index: number, count: number): number => (count === 1 ? WIDTH / 2 : (index / (count - 1)) * WIDTH)

/** Zero lies at the bottom, unless there is a value below it. */
function heightOf(value: number, values: readonly number[]): number {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  return high === low ? HEIGHT : HEIGHT - ((value - low) / (high - low)) * HEIGHT
}
