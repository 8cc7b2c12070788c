import type { ReactNode } from 'react'
import { EditFields } from '../../../kit/edit-fields'
import type { Builder } from './use-funnel-edit'

/** Fields of the draft. Those who may only read see them, and cannot change them. */
export const Editable = ({ builder: { edit, reason }, children }: { builder: Builder; children: ReactNode }) => (
  <EditFields edit={edit} reason={reason}>
    {children}
  </EditFields>
)
