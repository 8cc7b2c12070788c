import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../api/client'
import { useProject, useReadOnly } from '../../../lib/session'
import type { Rules } from './model'

const PAUSE_MS = 350
const PATH = '/dashboard/projects/{projectId}/audiences/preview'

/** Whom rules match now, asked a moment after the last change. The server answers no such call of who reads for support. */
export function usePreview(rules: Rules, isOn = true) {
  const { path } = useProject()
  const isMember = useReadOnly() === null
  const text = useSettled(JSON.stringify(rules))
  return useQuery({
    queryKey: [PATH, path, text],
    queryFn: () => api.post(PATH, { params: { path }, body: { rules: JSON.parse(text) as Rules } }),
    enabled: isOn && isMember,
    placeholderData: (before) => before,
  })
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
