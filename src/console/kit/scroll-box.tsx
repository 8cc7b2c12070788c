import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { cx } from '../lib/class-names'

interface ScrollBoxProps {
  /** The name of its content, for screen readers. */
  label: string
  className?: string
  ref?: RefObject<HTMLDivElement | null>
  children: ReactNode
}

/** A place for something that can be wider than the screen. Where it is, the keyboard can scroll it. */
export function ScrollBox({ label, className, ref, children }: ScrollBoxProps) {
  const own = useRef<HTMLDivElement>(null)
  const box = ref ?? own
  const [isWider, setWider] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setWider(element.scrollWidth > element.clientWidth))
    for (const one of [element, ...element.children]) observer.observe(one)
    return () => observer.disconnect()
  }, [box])
  return (
    <div
      ref={box}
      {...(isWider && { tabIndex: 0, role: 'group', 'aria-label': label })}
      className={cx('overflow-x-auto -outline-offset-2 print:overflow-visible', className)}
    >
      {children}
    </div>
  )
}
