import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useList } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Button } from '../../kit/button'
import { Card } from '../../kit/card'
import { Dialog } from '../../kit/dialog'
import { Menu } from '../../kit/menu'
import { Page } from '../../kit/page'
import { DataTable } from '../../kit/table'
import { Time } from '../../kit/values'
import { roleFor, useProject, useSession } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { Invitations } from './invitations'
import { Invite } from './invite'
import { Leave, useOnlyOwner } from './leave'
import { ChangeRole, RemoveMember } from './member-acts'
import { ROLES } from './role-field'
import { Transfer } from './transfer'

type Member = Schemas['Member']
type Act = { name: 'role' | 'remove' | 'leave' | 'transfer'; userId: string }

/** Who works on the project, with which role, and who is invited. */
export default function Members() {
  const t = useText('settings')
  const c = useText('common')
  const { path, can } = useProject()
  const [sheet, setSheet] = useParam('do')
  const [act, setAct] = useState<Act | null>(null)
  const list = useList('/dashboard/projects/{projectId}/members', { params: { path } })
  const reason = can('members:manage') ? null : c.roleNeeded(roleFor('members:manage'))
  const done = () => setAct(null)
  // From the list, so that a dialog has the newest revision.
  const member = list.items.find(({ userId }) => userId === act?.userId)
  return (
    <Page
      title={c.members}
      purpose={t.membersPurpose}
      actions={
        <>
          <Button onClick={() => setSheet('roles', { push: true })}>{t.whatRolesDo}</Button>
          <Button
            variant="primary"
            icon={<Plus aria-hidden size={15} />}
            reason={reason}
            onClick={() => setSheet('invite', { push: true })}
          >
            {t.invite}
          </Button>
        </>
      }
    >
      <Card flush title={c.members}>
        <MemberTable list={list} reason={reason} onAct={setAct} />
      </Card>
      {reason === null && <Invitations />}
      {sheet === 'invite' && (
        <Dialog kind="sheet" title={t.invite} onClose={() => setSheet(null)}>
          <Invite reason={reason} onClose={() => setSheet(null)} />
        </Dialog>
      )}
      {sheet === 'roles' && (
        <Dialog kind="sheet" title={t.whatRolesDo} onClose={() => setSheet(null)}>
          <Roles />
        </Dialog>
      )}
      {act?.name === 'role' && member && <ChangeRole member={member} onClose={done} />}
      {act?.name === 'remove' && member && <RemoveMember member={member} onClose={done} />}
      {act?.name === 'leave' && <Leave onClose={done} />}
      {act?.name === 'transfer' && member && <Transfer member={member} onClose={done} />}
    </Page>
  )
}

interface TableProps {
  list: ReturnType<typeof useList<'/dashboard/projects/{projectId}/members'>>
  reason: string | null
  onAct: (act: Act) => void
}

function MemberTable({ list, reason, onAct }: TableProps) {
  const t = useText('settings')
  const c = useText('common')
  const { me } = useSession()
  return (
    <DataTable
      label={c.members}
      list={list}
      keyOf={({ userId }) => userId}
      columns={[
        {
          title: c.name,
          whole: ({ name }) => name,
          cell: ({ name, userId }) => (
            <span className="font-medium">
              {name}
              {userId === me.id && <span className="font-normal text-ink-2"> ({t.you})</span>}
            </span>
          ),
        },
        { title: t.mail, isExtra: true, whole: ({ email }) => email, cell: ({ email }) => email },
        { title: t.role, cell: ({ role }) => t.roleName[role] },
        { title: t.joined, isExtra: true, cell: ({ joinedAt }) => <Time at={joinedAt} day /> },
        {
          title: <span className="sr-only">{c.actions}</span>,
          isNumber: true,
          isMenu: true,
          cell: (member) => <MemberMenu member={member} reason={reason} onAct={onAct} />,
        },
      ]}
    />
  )
}

function MemberMenu({ member, reason, onAct }: { member: Member } & Omit<TableProps, 'list'>) {
  const t = useText('settings')
  const c = useText('common')
  const { me } = useSession()
  const { can, hasRole } = useProject()
  const onlyOwner = useOnlyOwner()
  const isMe = member.userId === me.id
  // Only an owner takes the role of an owner.
  const mayNot = reason ?? (member.role === 'OWNER' && !hasRole('OWNER') ? c.roleNeeded('OWNER') : null)
  const mustStay = mayNot ?? onlyOwner(member.userId)
  const canTransfer = can('project:transfer') && !isMe && member.role !== 'OWNER'
  return (
    <Menu
      className="relative min-h-6 rounded-inner px-2 py-0.5 text-ink-2 hover:bg-hover hover:text-ink"
      label={
        <>
          <span aria-hidden>⋯</span>
          <span className="sr-only">{t.actionsFor(member.name)}</span>
        </>
      }
      items={[
        { label: t.changeRole, reason: mustStay, onSelect: () => onAct({ name: 'role', userId: member.userId }) },
        ...(canTransfer
          ? [{ label: t.makeOwner, onSelect: () => onAct({ name: 'transfer', userId: member.userId }) }]
          : []),
        isMe
          ? { label: t.leave, isDangerous: true, onSelect: () => onAct({ name: 'leave', userId: member.userId }) }
          : {
              label: c.remove,
              isDangerous: true,
              reason: mustStay,
              onSelect: () => onAct({ name: 'remove', userId: member.userId }),
            },
      ]}
    />
  )
}

/** What each role may do, from the one with the fewest rights. */
function Roles() {
  const t = useText('settings')
  return (
    <dl className="grid gap-4 text-sm">
      {ROLES.map((role) => (
        <div key={role} className="grid gap-1 border-b border-line pb-4 last:border-0">
          <dt className="flex flex-wrap items-baseline gap-2 font-medium">
            {t.roleName[role]} <span className="font-mono text-xs font-normal text-ink-2">{role}</span>
          </dt>
          <dd className="text-ink-2">{t.roleHint[role]}</dd>
        </div>
      ))}
    </dl>
  )
}
