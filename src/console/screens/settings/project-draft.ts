import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/client'
import { ApiFailure, isEditConflict } from '../../api/failure'
import { useAction } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { toast } from '../../kit/toast'
import { type Project, useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'
import { bodyOf, changedFields, type FieldName, type Values, valuesOf } from './project-values'

interface Kept {
  revision: number
  base: Values
  values: Values
}

export interface ProjectDraft {
  values: Values
  base: Values
  changed: FieldName[]
  set: (name: FieldName, value: string | boolean) => void
  discard: () => void
  save: () => void
  busy: boolean
  error: Error | null
  fields: Record<string, string>
  /** Fields that another person has changed since this draft started. Null without any. */
  theirs: FieldName[] | null
  /** Keeps the typed values, on top of the newest version. */
  rebase: () => void
  body: Schemas['ProjectChange']
}

/** The project as it is in the form. Typed values outlive a reload, until they are saved or discarded. */
export function useProjectDraft(): ProjectDraft {
  const { project } = useProject()
  const key = `svc.draft.project.${project.id}`
  const now = { revision: project.revision, base: valuesOf(project), values: valuesOf(project) }
  const [kept, setKept] = useState<Kept | null>(() => readKept(key))
  const draft = kept ?? now
  const keep = (next: Kept | null) => {
    setKept(next)
    if (next) sessionStorage.setItem(key, JSON.stringify(next))
    else sessionStorage.removeItem(key)
  }
  const changed = changedFields(draft.base, draft.values)
  const body = bodyOf(draft.values, changed)
  const action = useSave(draft.revision, () => keep(null))
  const theirs = draft.revision === project.revision ? null : changedFields(draft.base, now.base)
  return {
    values: draft.values,
    base: draft.base,
    changed,
    set: (name, value) => keep({ ...draft, values: { ...draft.values, [name]: value } }),
    discard: () => {
      keep(null)
      action.reset()
    },
    save: () => action.submit(body),
    busy: action.busy,
    error: isEditConflict(action.error) ? null : action.error,
    fields: action.error instanceof ApiFailure ? withoutPrefix(action.error.fields) : {},
    theirs: changed.length > 0 ? theirs : null,
    rebase: () => {
      keep({ ...now, values: { ...now.values, ...pick(draft.values, changed) } })
      action.reset()
    },
    body,
  }
}

function useSave(revision: number, onSaved: () => void) {
  const c = useText('common')
  const { path, project } = useProject()
  const client = useQueryClient()
  const [, go] = useLocation()
  return useAction({
    run: (body: Schemas['ProjectChange']) =>
      api.patch('/dashboard/projects/{projectId}', {
        params: { path, header: { 'If-Match': `"${revision}"` } },
        body,
      }),
    refreshes: ['/dashboard/projects'],
    onDone: (saved) => {
      onSaved()
      client.setQueriesData({ predicate: isOfPath('/dashboard/projects') }, renamedIn(saved))
      client.setQueriesData(
        {
          predicate: ({ queryKey }) =>
            queryKey[0] === '/dashboard/projects/{projectId}' && JSON.stringify(queryKey).includes(saved.id),
        },
        saved,
      )
      toast(c.savedName(saved.name))
      if (saved.slug !== project.slug) go(`/p/${saved.slug}/settings${location.search}`, { replace: true })
    },
    onFailure: (error) => {
      if (isEditConflict(error))
        void client.invalidateQueries({ predicate: isOfPath('/dashboard/projects/{projectId}') })
    },
  })
}

/** Whether an answer in the cache came from this path. */
export const isOfPath =
  (path: string) =>
  ({ queryKey }: { queryKey: readonly unknown[] }): boolean =>
    queryKey[0] === path

/** The list of projects with the new name and slug at once, so that the address of the new slug is known. */
export const renamedIn =
  (saved: Project) =>
  (list: unknown): unknown => {
    const { items } = (list ?? {}) as { items?: Project[] }
    if (!items) return list
    return {
      ...(list as object),
      items: items.map((one) => (one.id === saved.id ? { ...one, name: saved.name, slug: saved.slug } : one)),
    }
  }

const pick = (values: Values, names: readonly FieldName[]): Partial<Values> =>
  Object.fromEntries(names.map((name) => [name, values[name]]))

const withoutPrefix = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, message]) => [name.replace(/^settings\./, ''), message]))

function readKept(key: string): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Kept | null
  } catch {
    return null
  }
}
