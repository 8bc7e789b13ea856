import type { Storage } from "@quire/core";

/** Returns a storage that calls a hook before each call, with the name of the method and the affected ids. */
export function watchedStorage(
  storage: Storage,
  before: (method: keyof Storage, id: string, name: string | null) => Promise<void> | void,
  after: (
    method: keyof Storage,
    id: string,
    name: string | null,
  ) => Promise<void> | void = () => {},
): Storage {
  const around = async <T>(
    method: keyof Storage,
    id: string,
    name: string | null,
    body: () => Promise<T>,
  ): Promise<T> => {
    await before(method, id, name);
    const result = await body();
    await after(method, id, name);
    return result;
  };
  return {
    hasExactNames: storage.hasExactNames === true,
    read: (file, options) => around("read", file.id, null, () => storage.read(file, options)),
    stat: (file, options) => around("stat", file.id, null, () => storage.stat(file, options)),
    list: (where, options) => around("list", where.id, null, () => storage.list(where, options)),
    remove: (file, options) => around("remove", file.id, null, () => storage.remove(file, options)),
    find: (where, name, options) =>
      around("find", where.id, name, () => storage.find(where, name, options)),
    create: (where, name, bytes, options) =>
      around("create", where.id, name, () => storage.create(where, name, bytes, options)),
    createFolder: (where, name, options) =>
      around("createFolder", where.id, name, () => storage.createFolder(where, name, options)),
    removeFolder: (where, options) =>
      around("removeFolder", where.id, null, () => storage.removeFolder(where, options)),
  };
}
