/** The queries of the inbox that other slices use. */
export {
  findByNotification,
  findCatchup,
  findLastArrival,
  findStoreEvent,
  listRetryDue,
  listStoreEventIds,
  listStoreEvents,
  type StoreEventFilter,
  type StoreEventRow,
  saveCatchup,
} from './queries'
