import { useRef } from 'react'
import { Row, type RowProps } from './table-row'
import { useRowWindow } from './use-row-window'

interface VirtualRowsProps<R> extends Pick<RowProps<R>, 'columns' | 'keyOf' | 'hrefOf'> {
  rows: readonly R[]
  /** Widths of the columns, once they are fixed. Rows have another height then. */
  columnWidths: string | null
}

/** The rows near the window, between two spacers. The rows of one table are equally high. */
export function VirtualRows<R>({ rows, columnWidths, columns, keyOf, hrefOf }: VirtualRowsProps<R>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const { shown, above, below } = useRowWindow(body, rows.length, columnWidths)
  return (
    // biome-ignore lint/a11y/noRedundantRoles: with another display it is no part of a table to every browser
    <tbody ref={body} role="rowgroup">
      <Spacer height={above} span={columns.length + 1} />
      {rows.slice(shown.from, shown.to).map((row, at) => (
        <Row
          key={keyOf(row)}
          row={row}
          index={shown.from + at}
          columns={columns}
          keyOf={keyOf}
          hrefOf={hrefOf}
          isPart
        />
      ))}
      <Spacer height={below} span={columns.length + 1} />
    </tbody>
  )
}

const Spacer = ({ height, span }: { height: number; span: number }) =>
  height > 0 ? (
    <tr aria-hidden="true">
      <td colSpan={span} className="p-0" style={{ height }} />
    </tr>
  ) : null
