import { api } from '../../api/client'
import { useAction } from '../../api/queries'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { FormFailure } from '../../kit/failure'
import { toast } from '../../kit/toast'
import { roleFor, useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'

const DRIFT = '/dashboard/projects/{projectId}/project-file/drift'

/** For a project that is no longer kept in a file. The next `svc apply` undoes it. */
export function ForgetFile() {
  const t = useText('settings')
  const c = useText('common')
  const { path, can } = useProject()
  const forget = useAction({
    run: () => api.delete(DRIFT, { params: { path } }),
    refreshes: [DRIFT],
    onDone: () => toast(t.fileForgotten),
  })
  return (
    <Card title={t.forgetFile}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm text-ink-2">
        <p>{t.forgetFileHint}</p>
        <FormFailure error={forget.error} />
        <div>
          <Button
            busy={forget.busy}
            reason={can('project:settings:write') ? null : c.roleNeeded(roleFor('project:settings:write'))}
            onClick={() => forget.submit(undefined)}
          >
            {t.forgetFile}
          </Button>
        </div>
      </div>
    </Card>
  )
}
