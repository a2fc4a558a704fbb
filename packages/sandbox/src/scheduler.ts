/** Tasks for later, by the sandbox's clock. They are on disk, so a restart forgets none. */
import type { Clock } from './clock.ts';
import type { Collection, Store, Transaction } from './store.ts';

export interface Task {
  readonly id: string;
  readonly dueAt: number;
  readonly gateway: string;
  readonly task: string;
  readonly payload: Readonly<Record<string, string>>;
}

/** Carries a task out; it writes through the transaction it is given. */
export type RunTask = (task: Task, tx: Transaction) => void;

const longestSleepMs = 60_000;

export class Scheduler {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #tasks: Collection<Task>;
  readonly #run: RunTask;
  #timer: NodeJS.Timeout | undefined;
  #timerDueAt = Number.POSITIVE_INFINITY;
  #count = 0;
  /** While a task runs, the moment it was due: what follows from it is reckoned from then. */
  #runningAt: number | undefined;

  constructor(store: Store, clock: Clock, run: RunTask) {
    this.#store = store;
    this.#clock = clock;
    this.#tasks = store.collection<Task>('host/task');
    this.#run = run;
  }

  /** Runs `task` of a gateway's sandbox after `afterMs`, at least one turn of the event loop from now. */
  schedule(tx: Transaction, gateway: string, afterMs: number, task: string, payload: Task['payload']): void {
    this.#count += 1;
    const id = `${Date.now().toString(36)}-${process.pid}-${this.#count}`;
    const dueAt = (this.#runningAt ?? this.#clock.now()) + afterMs;
    tx.put(this.#tasks, id, { id, dueAt, gateway, task, payload });
    this.#wakeAt(dueAt);
  }

  #wakeAt(dueAt: number): void {
    if (dueAt >= this.#timerDueAt) return;
    clearTimeout(this.#timer);
    this.#timerDueAt = dueAt;
    const waitMs = Math.min(Math.max(0, dueAt - this.#clock.now()), longestSleepMs);
    this.#timer = setTimeout(() => {
      this.runDue().catch((cause: unknown) => process.emitWarning(`sandbox task failed: ${String(cause)}`));
    }, waitMs);
    this.#timer.unref();
  }

  /** Runs everything that is due, also what the tasks themselves schedule for a time already past. */
  async runDue(): Promise<void> {
    for (;;) {
      const now = this.#clock.now();
      const due = [...this.#tasks.newest()]
        .filter((task) => task.dueAt <= now)
        .sort((left, right) => left.dueAt - right.dueAt || (left.id < right.id ? -1 : 1));
      if (due.length === 0) break;
      for (const task of due) {
        if (this.#tasks.get(task.id) === undefined) continue;
        const tx = this.#store.begin();
        tx.remove(this.#tasks, task.id);
        this.#runningAt = task.dueAt;
        try {
          this.#run(task, tx);
        } finally {
          this.#runningAt = undefined;
        }
        await tx.commit();
      }
    }
    this.#timerDueAt = Number.POSITIVE_INFINITY;
    let next = Number.POSITIVE_INFINITY;
    for (const task of this.#tasks.newest()) next = Math.min(next, task.dueAt);
    if (next < Number.POSITIVE_INFINITY) this.#wakeAt(next);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
