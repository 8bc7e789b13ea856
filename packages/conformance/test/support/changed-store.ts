import type { JobStore, JobWorker, JobWorkerOptions } from "@quire/contracts";

/** Returns an object that behaves like `target`, except for some of its members. */
export function changed<T extends object>(target: T, changes: Partial<T>): T {
  return new Proxy(target, {
    get(_, key) {
      if (Object.hasOwn(changes, key)) return Reflect.get(changes, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Returns a store whose workers behave differently. */
export function withWorkers(
  store: JobStore,
  change: (worker: JobWorker, options: JobWorkerOptions) => Partial<JobWorker>,
): JobStore {
  return changed(store, {
    openWorker: async (options) => {
      const worker = await store.openWorker(options);
      return changed(worker, change(worker, options));
    },
  });
}
