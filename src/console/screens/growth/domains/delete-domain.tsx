import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Confirm } from '../../../kit/dialog'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { type Domain, PATH } from './model'

interface DeleteDomainProps {
  domain: Domain
  onClose: () => void
  reason: string | null
}

export function DeleteDomain({ domain, onClose, reason }: DeleteDomainProps) {
  const t = useText('domains')
  const common = useText('common')
  const { path } = useProject()
  const remove = useAction({
    run: () =>
      api.delete(`${PATH}/{id}`, {
        params: { path: { ...path, id: domain.id }, header: { 'If-Match': `"${domain.revision}"` } },
      }),
    refreshes: [PATH],
    onDone: () => {
      toast(common.deletedName(domain.hostname))
      onClose()
    },
  })
  const title = t.deleteOf(domain.unicodeHostname)
  return (
    <Confirm
      title={title}
      action={title}
      onConfirm={() => remove.submit(undefined)}
      onClose={onClose}
      busy={remove.busy}
      error={remove.error}
      reason={reason}
    >
      <p>{t.deleteHint}</p>
    </Confirm>
  )
}
