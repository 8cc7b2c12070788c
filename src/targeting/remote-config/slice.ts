import { Elysia } from 'elysia'
import { Counter, Gauge } from 'prom-client'
import type { MetricParts } from '../../base/metrics/metrics'
import { slice } from '../../base/slice'
import { remoteConfigExamination } from './doctor'
import { loadRemoteSnapshot } from './load'
import { OFREP_PREFIX, ofrepFailure } from './ofrep/refusal'
import { ofrepRoutes } from './ofrep/routes'
import { remoteConfigOperatorRoutes } from './operator-routes'
import { remoteConfigRoutes } from './routes'
import type { RemoteSnapshot } from './snapshot'
import { StreamHub } from './stream/hub'
import { streamRoutes } from './stream/routes'
import { StreamOffers } from './stream-offers'

declare module '../../base/state' {
  interface SliceState {
    streamHub: StreamHub
    streamOffers: StreamOffers
  }
}

declare module '../../projects/project/state' {
  interface ProjectParts {
    remote: RemoteSnapshot
  }
}

const metrics = ({ registry }: MetricParts) => ({
  openStreams: new Gauge({
    name: 'svc_sse_clients',
    help: 'Configuration streams that are open',
    registers: [registry],
  }),
  droppedStreams: new Counter({
    name: 'svc_config_streams_dropped_total',
    help: 'Configuration streams that were cut because their client read too slowly',
    registers: [registry],
  }),
})

type Made = ReturnType<typeof metrics>

declare module '../../base/metrics/metrics' {
  interface Metrics extends Made {}
}

export const remoteConfig = slice({
  name: 'remote-config',
  tags: [{ name: 'Remote config', description: 'Flags and experiment assignments, by request or as a live stream.' }],
  state: {
    streamHub: (ctx) => new StreamHub(ctx),
    streamOffers: () => new StreamOffers(),
  },
  projectParts: { remote: ({ handle, log, projectId }) => loadRemoteSnapshot(handle, log, projectId) },
  metrics,
  routes: (ctx) => new Elysia().use(remoteConfigRoutes(ctx)).use(streamRoutes(ctx)),
  operatorRoutes: remoteConfigOperatorRoutes,
  webRoutes: ofrepRoutes,
  publicRoutes: ofrepRoutes,
  rootPaths: { prefix: OFREP_PREFIX, allowedHeaders: ['X-API-Key'] },
  browserHeaders: { allowed: ['X-Svc-Env'] },
  describedPaths: [OFREP_PREFIX],
  refusalBodies: ofrepFailure,
  doctor: remoteConfigExamination,
  loops: [
    { name: 'stream pings', everyMs: 25_000, run: ({ state }) => state.streamHub.ping() },
    { name: 'stream keys', everyMs: 1000, run: ({ state }) => state.streamHub.checkKeys() },
  ],
})
