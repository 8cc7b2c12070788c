export const PATH = '/dashboard/projects/{projectId}/notification-forwards'
