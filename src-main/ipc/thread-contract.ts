/** What crosses to a thread and back. `room` tells a worker file loaded as a thread from one that is merely imported. */
export interface ThreadTask<Task> {
  id: number
  task: Task
}
export type ThreadAnswer<Answer> = { id: number; value: Answer } | { id: number; error: string }
