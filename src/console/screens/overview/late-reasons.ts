import { useEffect, useState } from 'react'
import { fetchPart } from '../../shell/server-state'
import { load, useLocale, useText } from '../../text/catalogue'

type ReasonOf = (text: string) => string

const asWritten: ReasonOf = (text) => text

/**
 * Words for the reasons that the server wrote. They are more than the first screen should fetch, so they are fetched when a
 * text needs them; until then it is shown as the server wrote it.
 */
export function useLateReason(isNeeded: boolean): ReasonOf {
  const { storeNames } = useText('common')
  const language = useLocale()
  const [reasonOf, setReasonOf] = useState<ReasonOf>(() => asWritten)
  useEffect(() => {
    if (!isNeeded) return
    let isOver = false
    const parts = [fetchPart(() => import('../../lib/reason-words')), load('storeReasons', language)] as const
    Promise.all(parts).then(
      ([{ reasonIn }, words]) => {
        if (!isOver) setReasonOf(() => (text: string) => reasonIn(text, { ...words, statuses: {}, storeNames }))
      },
      () => {}, // The text stays as it is.
    )
    return () => {
      isOver = true
    }
  }, [isNeeded, language, storeNames])
  return reasonOf
}
