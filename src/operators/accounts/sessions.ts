export { deleteChallenges, deleteSession as endSession, deleteSessions as endSessions } from './queries'
