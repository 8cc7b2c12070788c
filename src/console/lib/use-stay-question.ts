import { useEffect } from 'react'

/** The browser asks before the page is left while something is under way that would be lost. */
export function useStayQuestion(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isOn])
}
