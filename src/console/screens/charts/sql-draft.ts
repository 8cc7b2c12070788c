import { useEffect, useState } from 'react'
import type { Schemas } from '../../api/schemas'

/** The form of a saved query that a text was made from; the revision is null for a query that is not saved. */
export interface Base {
  sql: string
  revision: number | null
}

interface SqlDraft {
  text: string
  base: Base
}

/** The text in the editor. An unsaved text is kept in the tab with its base, so it survives a reload. */
export function useSqlDraft(projectId: string, open: Schemas['SavedQuery'] | null) {
  const key = `svc.draft.sql.${projectId}.${open?.id ?? ''}`
  const [draft, setDraft] = useState(() => begin(key, { sql: open?.sql ?? '', revision: open?.revision ?? null }))
  const [initial] = useState(draft.text)
  useEffect(() => {
    if (isSaved(draft)) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(draft))
  }, [key, draft])
  return {
    ...draft,
    initial,
    type: (text: string) => setDraft(({ base }) => ({ text, base })),
    rebase: (base: Base) => setDraft(({ text }) => ({ text, base })),
    forget: () => sessionStorage.removeItem(key),
  }
}

const isSaved = ({ text, base }: SqlDraft): boolean => text === base.sql

/** The text that was typed before a reload, unless it was saved since. */
function begin(key: string, saved: Base): SqlDraft {
  const kept = readDraft(key)
  return kept && kept.text !== saved.sql ? kept : { text: saved.sql, base: saved }
}

function readDraft(key: string): SqlDraft | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as SqlDraft | null // Only `useSqlDraft` writes there.
  } catch {
    return null
  }
}
