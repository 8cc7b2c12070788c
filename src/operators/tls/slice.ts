import type { Config } from '../../base/config'
import { SECOND } from '../../base/lib/clock'
import { slice } from '../../base/slice'
import { tlsRoutes } from './admin-routes'
import { CERTIFICATE_ENDS } from './alerts'
import { tlsCommand } from './command'
import { tlsExamination } from './doctor'
import { endIssuer, runIssuer, SWEEP_EVERY_MS, sweepCertificates } from './issuer'
import { refreshTls } from './refresh'
import { TlsState } from './state'
import { tlsTables } from './tables'

const isAuto = ({ tls: { mode } }: Pick<Config, 'tls'>): boolean => mode === 'auto'

/** Https of this server itself: the public ports, certificates and their renewal. */
export const tls = slice({
  name: 'tls',
  tables: tlsTables,
  cachedRows: {
    tlsAccounts: 'NOBODY',
    tlsNames: 'NOBODY',
    tlsCertificates: 'NOBODY',
    tlsOrders: 'NOBODY',
    tlsLeases: 'NOBODY',
  },
  personalData: {
    tlsAccounts: 'NOTHING',
    tlsNames: 'NOTHING',
    tlsCertificates: 'NOTHING',
    tlsOrders: 'NOTHING',
    tlsLeases: 'NOTHING',
  },
  state: { tls: () => new TlsState() },
  adminRoutes: tlsRoutes,
  commands: [tlsCommand],
  doctor: tlsExamination,
  noticeKinds: [CERTIFICATE_ENDS],
  loops: [
    { name: 'tls certificates', everyMs: SECOND, isOn: ({ tls: { mode } }) => mode !== 'off', run: refreshTls },
    { name: 'tls issuer', everyMs: SECOND, isOn: isAuto, run: runIssuer, end: endIssuer },
    { name: 'tls sweep', everyMs: SWEEP_EVERY_MS, isOn: isAuto, run: sweepCertificates },
  ],
})
