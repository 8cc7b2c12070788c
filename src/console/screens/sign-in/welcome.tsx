import { useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import { useRead } from '../../api/queries'
import { Button } from '../../kit/button'
import { useSession } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { NewProjectForm } from '../../parts/new-project'
import { Gate } from '../../shell/gate'
import { useText } from '../../text/catalogue'
import { Outside } from './outside'
import { TwoFactorOffer } from './two-factor-offer'

/** After the sign-up: two factors if the person likes, then the project. */
export default function Welcome() {
  return (
    <Gate>
      <Steps />
    </Gate>
  )
}

function Steps() {
  const t = useText('signIn')
  const { me } = useSession()
  const [, go] = useLocation()
  const [step, setStep] = useParam('step', 'two-factor')
  const projects = useRead('/dashboard/projects', { params: { query: { limit: 1 } } })
  // Who signs up first may own projects already that the command line has made.
  const needsProject = projects.data?.items.length === 0
  // The next step depends on the projects, so it waits until they are read.
  const [isOver, setOver] = useState(me.twoFactorEnabled)
  const goOn = () => (needsProject ? setStep('project', { push: true }) : setOver(true))
  if (step === 'project') {
    return (
      <Outside title={t.projectTitle} hint={t.projectHint}>
        <NewProjectForm onOpen={(slug) => go(`/p/${slug}/overview`)} />
      </Outside>
    )
  }
  if (isOver) {
    if (!projects.data && !projects.error) return null
    return <Redirect to={needsProject ? '/welcome?step=project' : '/'} replace />
  }
  return (
    <Outside
      title={t.welcome(me.name)}
      below={
        <div className="flex items-center justify-between">
          <span>{t.stepOf(1, needsProject ? 2 : 1)}</span>
          <Button variant="quiet" onClick={goOn}>
            {t.skip}
          </Button>
        </div>
      }
    >
      <TwoFactorOffer onDone={goOn} />
    </Outside>
  )
}
