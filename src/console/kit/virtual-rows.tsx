import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Row, type RowProps } from './table-row'

const ROW = 33
const AROUND = 12

interface VirtualRowsProps<R> extends Pick<RowProps<R>, 'columns' | 'keyOf' | 'hrefOf'> {
  rows: readonly R[]
}

/** The rows near the window, between two spacers. The rows of one table are equally high. */
export function VirtualRows<R>({ rows, columns, keyOf, hrefOf }: VirtualRowsProps<R>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const { items, above, below } = useNear(body, rows.length)
  return (
    <tbody ref={body}>
      <Spacer height={above} span={columns.length + 1} />
      {items.map((index) => {
        const row = rows[index] as R
        return <Row key={keyOf(row)} row={row} index={index} columns={columns} keyOf={keyOf} hrefOf={hrefOf} isPart />
      })}
      <Spacer height={below} span={columns.length + 1} />
    </tbody>
  )
}

/** Which rows are near the window. How far it is scrolled is seen at the rows themselves, also in a dialog. */
function useNear(body: RefObject<HTMLElement | null>, count: number) {
  const [height, setHeight] = useState(ROW)
  const virtual = useVirtualizer({
    count,
    estimateSize: () => height,
    overscan: AROUND,
    getScrollElement: () => document.documentElement,
    observeElementRect: (_, tell) => {
      const measure = () => tell({ width: innerWidth, height: innerHeight })
      measure()
      addEventListener('resize', measure)
      return () => removeEventListener('resize', measure)
    },
    observeElementOffset: (_, tell) => {
      const measure = () => tell(Math.max(0, -(body.current?.getBoundingClientRect().top ?? 0)), true)
      measure()
      const options = { passive: true, capture: true }
      addEventListener('scroll', measure, options)
      return () => removeEventListener('scroll', measure, options)
    },
  })
  useLayoutEffect(() => {
    const found = body.current?.querySelector('[data-row]')?.getBoundingClientRect().height ?? 0
    if (found === 0 || found === height) return
    setHeight(found)
    virtual.measure()
  }, [body, height, virtual])
  const near = virtual.getVirtualItems()
  return {
    items: near.map(({ index }) => index),
    above: near[0]?.start ?? 0,
    below: virtual.getTotalSize() - (near.at(-1)?.end ?? 0),
  }
}

const Spacer = ({ height, span }: { height: number; span: number }) =>
  height > 0 ? (
    <tr aria-hidden="true">
      <td colSpan={span} className="p-0" style={{ height }} />
    </tr>
  ) : null
