/** Why an export of data stopped. `answer` is why a call brought no answer; `words` are those of the bucket. */
export const EXPORT_REASONS = {
  EXPORT_REPLACED: 'it was interrupted, and another export took its place',
  EXPORT_OVERDUE: 'it was interrupted for too long',
  EXPORT_TAKEN: 'the export was ended, or another process works on it',
  PROCESS_STOPPING: 'the process is stopping',
  BUCKET_SEALED: 'the credentials of the bucket cannot be opened',
  BUCKET_ADDRESS: 'endpoint {message}',
  BUCKET_REFUSED: 'the bucket does not take the file: {words}',
  BUCKET_SLOW: 'the bucket did not take the file in time',
  BUCKET_UNREACHABLE: 'the bucket cannot be reached: {answer}',
  FOREIGN_SESSION_TOKEN:
    'AWS_SESSION_TOKEN in the environment of svc does not belong to this bucket; start svc without it',
  FOLDER_ELSEWHERE:
    'the command line of this server has not named this folder below exports of the data folder; make the schedule again with svc export-data schedule',
} as const
