import { useState } from 'react'
import { api } from '../../api/client'
import { useAction, useList, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card } from '../../kit/card'
import { Empty } from '../../kit/empty'
import { Menu } from '../../kit/menu'
import { State, toneOf } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { toast } from '../../kit/toast'
import { useFailureToast } from '../../kit/use-failure-toast'
import { Time } from '../../kit/values'
import { putOnClipboard } from '../../lib/clipboard'
import { useProject } from '../../lib/session'
import { Removal } from '../../parts/removal'
import { useText } from '../../text/catalogue'

type Invitation = Schemas['Invitation']

const INVITATIONS = '/dashboard/projects/{projectId}/invitations'

/** Who was invited, whether the mail went out, and until when the invitation can be accepted. */
export function Invitations() {
  const t = useText('settings')
  const c = useText('common')
  const { path } = useProject()
  const [revoked, setRevoked] = useState<string | null>(null)
  const list = useList(INVITATIONS, { params: { path } })
  const open = list.items.find(({ id }) => id === revoked)
  return (
    <Card flush title={t.invitations}>
      <DataTable
        label={t.invitations}
        list={list}
        keyOf={({ id }) => id}
        empty={<Empty title={t.noInvitations}>{t.noInvitationsHint}</Empty>}
        columns={[
          { title: t.mail, whole: ({ email }) => email, cell: ({ email }) => email },
          { title: t.role, cell: ({ role }) => t.roleName[role] },
          { title: c.state, cell: ({ state }) => <State tone={toneOf(state)}>{t.invitationState[state]}</State> },
          { title: t.delivery, isExtra: true, cell: ({ deliveryStatus }) => t.deliveryOf(deliveryStatus) },
          { title: t.expires, isExtra: true, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
          {
            title: <span className="sr-only">{c.actions}</span>,
            isNumber: true,
            isMenu: true,
            cell: (one) => <InvitationMenu invitation={one} onRevoke={() => setRevoked(one.id)} />,
          },
        ]}
      />
      {open && <Revoke invitation={open} onClose={() => setRevoked(null)} />}
    </Card>
  )
}

function InvitationMenu({ invitation, onRevoke }: { invitation: Invitation; onRevoke: () => void }) {
  const failed = useFailureToast()
  const t = useText('settings')
  const c = useText('common')
  const isMailed = useRead('/api/auth/options', {}).data?.mail !== false
  const { path } = useProject()
  const resend = useAction({
    run: () =>
      api.post('/dashboard/projects/{projectId}/invitations/{id}/resend', {
        params: { path: { ...path, id: invitation.id } },
        body: {},
      }),
    refreshes: [INVITATIONS],
    onDone: ({ link }) => toast(link === null ? t.invited(invitation.email) : t.invitedByLink(invitation.email)),
    onFailure: failed,
  })
  const closed = invitation.state === 'OPEN' ? null : t.invitationClosed
  const { link } = invitation
  const copy = async (text: string) => {
    const done = isLocalLink(text) ? t.localLinkCopied : t.invitationLinkCopied
    ;(await putOnClipboard(text)) ? toast(done) : toast(c.copyRefused, { isBad: true })
  }
  return (
    <Menu
      className="relative min-h-6 rounded-inner px-2 py-0.5 text-ink-2 hover:bg-hover hover:text-ink"
      label={
        <>
          <span aria-hidden>⋯</span>
          <span className="sr-only">{t.actionsFor(invitation.email)}</span>
        </>
      }
      items={[
        ...(isMailed
          ? []
          : [
              {
                label: t.invitationLink,
                reason: closed ?? (link === null ? t.noInvitationLink : null),
                onSelect: () => void (link !== null && copy(link)),
              },
            ]),
        { label: t.resend, reason: closed, onSelect: () => resend.submit(undefined) },
        { label: t.revokeInvitation, isDangerous: true, reason: closed, onSelect: onRevoke },
      ]}
    />
  )
}

/** A server that does not know its public address makes links that open only on its own machine. */
const isLocalLink = (link: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(link).hostname)

function Revoke({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const t = useText('settings')
  const { path } = useProject()
  return (
    <Removal
      title={t.revokeInvitationTitle(invitation.email)}
      word={t.revokeInvitation}
      done={t.invitationRevoked}
      run={() =>
        api.delete('/dashboard/projects/{projectId}/invitations/{id}', {
          params: {
            path: { ...path, id: invitation.id },
            header: { 'If-Match': `"${invitation.revision}"` },
          },
        })
      }
      refreshes={[INVITATIONS]}
      onClose={onClose}
    >
      <p>{t.revokeInvitationEffect}</p>
    </Removal>
  )
}
