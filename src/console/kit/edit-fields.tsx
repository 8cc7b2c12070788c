import type { ReactNode } from 'react'
import { ApiFailure } from '../api/failure'
import type { Edit } from './edit'
import { FieldErrors } from './field'

interface EditFieldsProps<T> {
  edit: Edit<T>
  /** Nothing inside of it can be changed. */
  isFixed: boolean
  children: ReactNode
}

/** The fields of an edit screen: what the server refuses is shown at each of them. */
export const EditFields = <T,>({ edit, isFixed, children }: EditFieldsProps<T>) => (
  <FieldErrors.Provider value={edit.error instanceof ApiFailure ? edit.error.fields : {}}>
    <fieldset data-fields disabled={isFixed} className="contents">
      {children}
    </fieldset>
  </FieldErrors.Provider>
)
