import { useEvery } from '../../api/every'
import type { Edit } from '../../kit/edit'
import { ProjectFilePart } from '../../kit/project-file'
import { useProject } from '../../lib/session'
import { audienceAsFile, experimentAsFile, flagAsFile, placementAsFile } from './as-file'
import type { AudienceState, AudienceView } from './audiences/use-audience-edit'
import type { ExperimentState, ExperimentView } from './experiments/model'
import type { FlagState, FlagView } from './flags/model'
import { useAudiences } from './flags/use-words'
import type { PlacementState, PlacementView } from './placements/model'
import { useFunnels } from './use-funnels'

interface AudienceFileProps {
  audience: AudienceView | null
  edit: Edit<AudienceState>
}

/** An audience in the project file. Nothing for a new one. */
export function AudienceFile({ audience, edit: { draft } }: AudienceFileProps) {
  if (!audience) return null
  const changed = draft.isChanged ? audienceAsFile(draft.value) : null
  return <ProjectFilePart kind="audience" identifier={audience.name} revision={audience.revision} changedAs={changed} />
}

export function FlagFile({ flag, edit: { draft } }: { flag: FlagView; edit: Edit<FlagState> }) {
  const audience = useAudienceName()
  const changed = draft.isChanged ? flagAsFile(draft.value, { audience }) : null
  return <ProjectFilePart kind="flag" identifier={flag.key} revision={flag.revision} changedAs={changed} />
}

interface ExperimentFileProps {
  experiment: ExperimentView | null
  edit: Edit<ExperimentState>
}

export function ExperimentFile({ experiment, edit: { draft } }: ExperimentFileProps) {
  const audience = useAudienceName()
  const funnel = useFunnelSlug()
  if (!experiment) return null
  const changed = draft.isChanged ? experimentAsFile(draft.value, { audience, funnel }) : null
  return (
    <ProjectFilePart kind="experiment" identifier={experiment.key} revision={experiment.revision} changedAs={changed} />
  )
}

interface PlacementFileProps {
  placement: PlacementView | null
  edit: Edit<PlacementState>
}

export function PlacementFile({ placement, edit: { draft } }: PlacementFileProps) {
  const { path } = useProject()
  const audience = useAudienceName()
  const funnel = useFunnelSlug()
  const { items: experiments } = useEvery('/dashboard/projects/{projectId}/experiments', {
    params: { path, query: { limit: 200 } },
  })
  const { items: offerings } = useEvery('/dashboard/projects/{projectId}/offerings', {
    params: { path, query: { limit: 200 } },
  })
  if (!placement) return null
  const offering = (id: string) => offerings.find((one) => one.id === id)?.identifier ?? id
  const experiment = (id: string) => experiments.find((one) => one.id === id)?.key ?? id
  const changed = draft.isChanged ? placementAsFile(draft.value, { audience, funnel, experiment, offering }) : null
  return (
    <ProjectFilePart
      kind="placement"
      identifier={placement.identifier}
      revision={placement.revision}
      changedAs={changed}
    />
  )
}

function useAudienceName() {
  const { items } = useAudiences()
  return (id: string) => items.find((one) => one.id === id)?.name ?? id
}

function useFunnelSlug() {
  const funnels = useFunnels()
  return (id: string) => funnels.find((one) => one.id === id)?.slug ?? id
}
