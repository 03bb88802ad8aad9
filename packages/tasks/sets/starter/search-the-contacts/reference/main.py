import sys

from contacts import Contacts


def show(entries):
    for name, number in entries:
        print(f"{name} {number}")


def main():
    contacts = Contacts()
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "add" and len(words) == 3:
            contacts.add(words[1], words[2])
        elif words == ["list"]:
            show(contacts.all())
        elif words[0] == "search" and len(words) == 2:
            found = contacts.search(words[1])
            show(found)
            if not found:
                print("nothing found")
        elif words[0] == "remove" and len(words) == 2:
            removed = contacts.remove(words[1])
            print(f"removed {words[1]}" if removed else f"no contact {words[1]}")
        else:
            print("unknown command")


if __name__ == "__main__":
    main()
