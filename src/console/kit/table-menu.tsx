import { type RefObject, useImperativeHandle, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type MenuItem, MenuList } from './menu'
import type { RowAt } from './table-row'

export interface OpensMenu {
  open: (button: HTMLButtonElement, at: RowAt) => void
}

interface TableMenuProps {
  ref: RefObject<OpensMenu | null>
  itemsOf: (at: RowAt) => MenuItem[]
}

/** The menu of whichever row it is opened for: a long list needs one, not one for each row. */
export function TableMenu({ ref, itemsOf }: TableMenuProps) {
  const list = useRef<HTMLDivElement>(null)
  const anchor = useRef<HTMLButtonElement | null>(null)
  const [at, setAt] = useState<RowAt | null>(null)
  useImperativeHandle(ref, () => ({
    open(button, next) {
      // A press on the button of the open menu closes it by itself.
      if (button.popoverTargetElement !== null) return
      if (anchor.current) anchor.current.popoverTargetElement = null
      anchor.current = button
      button.popoverTargetElement = list.current
      flushSync(() => setAt(next))
    },
  }))
  return <MenuList ref={list} anchor={anchor} align="right" items={at ? itemsOf(at) : []} />
}
