import { useEffect, useRef, useState } from 'react'

/**
 * What is in a field that tells some milliseconds after the last key: what was typed and not yet told, else the value.
 * Only typing starts the wait, and a value that was set otherwise (Back, "Clear filters") ends it: what was typed before
 * must never be reported afterwards.
 */
export function useTyped(
  value: string,
  onChange: (value: string) => void,
  waitMs: number,
): [text: string, type: (text: string) => void] {
  const [typed, setTyped] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const told = useRef(value)
  const tell = useRef(onChange)
  tell.current = onChange
  useEffect(() => {
    if (value !== told.current) {
      clearTimeout(timer.current)
      setTyped(null)
    }
    told.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = (text: string) => {
    clearTimeout(timer.current)
    setTyped(text)
    timer.current = setTimeout(() => {
      told.current = text
      tell.current(text)
      setTyped(null)
    }, waitMs)
  }
  return [typed ?? value, type]
}
