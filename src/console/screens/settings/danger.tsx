import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/client'
import { useAction, useRead, useRefresh } from '../../api/queries'
import { Button } from '../../kit/button'
import { Card, Stack } from '../../kit/card'
import { Confirm } from '../../kit/dialog'
import { Field, Select } from '../../kit/field'
import { Page } from '../../kit/page'
import { toast } from '../../kit/toast'
import { roleFor, useProject } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { Leave } from './leave'
import { Transfer } from './transfer'

/** What ends a membership, moves the ownership, or deletes the project. */
export default function Danger() {
  const t = useText('settings')
  const c = useText('common')
  const { can } = useProject()
  const [asked, setAsked] = useParam('do')
  const close = () => setAsked(null)
  const reason = can('project:delete') ? null : c.roleNeeded(roleFor('project:delete'))
  return (
    <Page title={c.danger} purpose={t.dangerPurpose}>
      <Stack>
        <TransferCard />
        <Act title={t.leave} text={t.leaveEffect}>
          <Button onClick={() => setAsked('leave', { push: true })}>{t.leave}</Button>
        </Act>
        <Act title={t.deleteProject} text={t.deleteProjectEffect}>
          <Button variant="danger" reason={reason} onClick={() => setAsked('delete', { push: true })}>
            {t.deleteProject}
          </Button>
        </Act>
      </Stack>
      {asked === 'leave' && <Leave onClose={close} />}
      {asked === 'delete' && <DeleteProject onClose={close} />}
    </Page>
  )
}

const Act = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <Card title={title}>
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="max-w-xl text-sm text-ink-2">{text}</p>
      {children}
    </div>
  </Card>
)

function TransferCard() {
  const t = useText('settings')
  const c = useText('common')
  const { path, can } = useProject()
  const [userId, setUserId] = useState('')
  const [isAsked, setAsked] = useState(false)
  const members = useRead('/dashboard/projects/{projectId}/members', { params: { path, query: { limit: 200 } } })
  const others = members.data?.items.filter(({ role }) => role !== 'OWNER') ?? []
  const chosen = others.find((one) => one.userId === userId)
  const reason = can('project:transfer') ? null : c.roleNeeded(roleFor('project:transfer'))
  return (
    <Card title={t.transfer}>
      <div className="grid gap-4">
        <p className="max-w-xl text-sm text-ink-2">{others.length === 0 ? t.nobodyToTransferTo : t.transferEffect}</p>
        {others.length > 0 && (
          <div className="flex flex-wrap items-end gap-3">
            <div className="w-full max-w-sm">
              <Field label={t.newOwner}>
                <Select
                  value={userId}
                  options={[['', '—'], ...others.map((one) => [one.userId, `${one.name} · ${one.email}`] as const)]}
                  onChange={(event) => setUserId(event.target.value)}
                />
              </Field>
            </div>
            <Button reason={reason ?? (chosen ? null : t.chooseMember)} onClick={() => setAsked(true)}>
              {t.transfer}
            </Button>
          </div>
        )}
      </div>
      {isAsked && chosen && <Transfer member={chosen} onClose={() => setAsked(false)} />}
    </Card>
  )
}

function DeleteProject({ onClose }: { onClose: () => void }) {
  const t = useText('settings')
  const { path, project } = useProject()
  const [, go] = useLocation()
  const refresh = useRefresh()
  const action = useAction({
    run: () =>
      api.delete('/dashboard/projects/{projectId}', {
        params: { path, header: { 'If-Match': `"${project.revision}"` } },
      }),
    onDone: () => {
      go('/projects')
      refresh('/dashboard/projects')
      toast(t.projectDeleted(project.name))
    },
    // Another person was faster: the next try uses the newest revision.
    onFailure: () => refresh('/dashboard/projects/{projectId}'),
  })
  return (
    <Confirm
      title={t.deleteProjectTitle(project.name)}
      action={t.deleteProject}
      typed={project.slug}
      busy={action.busy}
      error={action.error}
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
    >
      <p>{t.deleteProjectEffect}</p>
      <p>{t.deleteProjectFinal}</p>
    </Confirm>
  )
}
