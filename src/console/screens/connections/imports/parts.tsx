import { useRefresh } from '../../../api/queries'
import { Card } from '../../../kit/card'
import { toast } from '../../../kit/toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { DropZone } from './drop-zone'
import { isRunning, type Job, PATH } from './model'

/** A second pass can have several files. */
export function Parts({ job: { id, status } }: { job: Job }) {
  const t = useText('moving')
  const { api } = useProject()
  const refresh = useRefresh()
  if (isRunning(status)) return null
  return (
    <Card title={t.addPart}>
      <DropZone
        url={(name) => `${api}/imports/${id}/parts?fileName=${encodeURIComponent(name)}`}
        onDone={() => {
          refresh(PATH)
          toast(t.partAdded)
        }}
      />
    </Card>
  )
}
