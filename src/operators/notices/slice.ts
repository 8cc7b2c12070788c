import { slice } from '../../base/slice'
import { noticeAccountRoutes } from './account-routes'
import { notificationDefaultRoutes } from './operator-routes'
import { deleteNoticesOf, deletePushDevicesOf } from './queries'
import { noticeRetention } from './retention'
import { noticeTables } from './tables'

declare module '../../base/lib/ids' {
  interface IdPrefixes {
    ntc: string
    psd: string
  }
}

/** Notices to people in the dashboard and by mail, and the preferences about them. */
export const notices = slice({
  name: 'notices',
  tables: noticeTables,
  cachedRows: {
    notices: 'NOBODY',
    notificationPreferences: 'NOBODY',
    notificationDefaults: 'NOBODY',
    pushDevices: 'NOBODY',
  },
  personalData: {
    notices: 'NOTHING',
    notificationPreferences: 'NOTHING',
    notificationDefaults: 'NOTHING',
    pushDevices: 'NOTHING',
  },
  retention: [noticeRetention],
  accountRoutes: noticeAccountRoutes,
  operatorRoutes: notificationDefaultRoutes,
  onDeleteUser: deleteNoticesOf,
  onEndGuest: deletePushDevicesOf,
})
