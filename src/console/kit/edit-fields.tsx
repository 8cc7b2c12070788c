import type { ReactNode } from 'react'
import { ApiFailure } from '../api/failure'
import type { Edit } from './edit'
import { FieldErrors } from './field'

interface EditFieldsProps<T> {
  edit: Edit<T>
  /** Why the person may not change anything inside of it. It is shown. */
  reason: string | null
  /** Nothing inside of it can be changed by anybody. */
  isFixed?: boolean
  children: ReactNode
}

/** The fields of an edit screen: what the server refuses is shown at each of them. */
export const EditFields = <T,>({ edit, reason, isFixed = false, children }: EditFieldsProps<T>) => (
  <FieldErrors.Provider value={edit.error instanceof ApiFailure ? edit.error.fields : {}}>
    {reason !== null && <p className="text-sm text-ink-2">{reason}</p>}
    <fieldset data-fields disabled={isFixed || reason !== null} className="contents">
      {children}
    </fieldset>
  </FieldErrors.Provider>
)
