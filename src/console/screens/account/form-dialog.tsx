import type { ReactNode } from 'react'
import type { useAction } from '../../api/queries'
import { Dialog } from '../../kit/dialog'
import { Form } from '../../kit/form'

interface FormDialogProps {
  /** Also the words on the button. */
  title: string
  hint: string
  action: Pick<ReturnType<typeof useAction<void, unknown>>, 'submit' | 'busy' | 'error'>
  isDangerous?: boolean
  /** Why it cannot be submitted yet. */
  reason?: string | null
  onClose: () => void
  children: ReactNode
}

/** One act that needs a few fields. */
export const FormDialog = ({
  title,
  hint,
  action,
  isDangerous = false,
  reason = null,
  onClose,
  children,
}: FormDialogProps) => (
  <Dialog title={title} onClose={onClose}>
    <p className="text-sm text-ink-2">{hint}</p>
    <Form
      submit={title}
      isDangerous={isDangerous}
      busy={action.busy}
      error={action.error}
      reason={reason}
      onCancel={onClose}
      onSubmit={() => action.submit()}
    >
      {children}
    </Form>
  </Dialog>
)
